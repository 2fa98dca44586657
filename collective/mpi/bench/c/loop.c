// The operations of the benchmark as a C program does them, in a loop. Made into a shared
// library it runs in the same processes, on the same MPI library, as the transport.
#include <mpi.h>

void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

// loop does an operation so many times with arrays of so many bytes, of which all_gather receives as many from each
// rank and the last two send a share to each. It sets seconds to the time of one.
void loop(int operation, int times, void *a, void *b, long bytes, double *seconds) {
  int n;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  double start = MPI_Wtime();
  for (int i = 0; i < times; i++) {
    switch (operation) {
    case 0: MPI_Allreduce(a, b, bytes / 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD); break;
    case 1: MPI_Allreduce(a, b, bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); break;
    case 2: MPI_Reduce_scatter_block(a, b, bytes / 4 / n, MPI_INT, MPI_SUM, MPI_COMM_WORLD); break;
    case 3: MPI_Reduce_scatter_block(a, b, bytes / 4 / n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); break;
    case 4: MPI_Allgather(a, bytes, MPI_BYTE, b, bytes, MPI_BYTE, MPI_COMM_WORLD); break;
    case 5: MPI_Alltoall(a, bytes / n, MPI_BYTE, b, bytes / n, MPI_BYTE, MPI_COMM_WORLD); break;
    }
  }
  *seconds = (MPI_Wtime() - start) / times;
}
