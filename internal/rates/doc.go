// Package rates measures what a machine can do at most: multiply-adds in registers, copies of memory, and the
// time from a multiply-add to the next that needs it. A program is then told how near it comes to the
// one that bounds it.
package rates
