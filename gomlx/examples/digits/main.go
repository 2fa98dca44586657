// Command digits trains a small convolutional network on handwritten digits with GoMLX, on this backend:
//
//	go run ./examples/digits
//
// It prints the accuracy on the test images, and writes the compiled training step as HLO text if asked:
//
//	go run ./examples/digits -hlo step.hlo && xla run step.hlo --random 1
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand"
	"os"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/gomlx/gomlx/ui/commandline"

	"github.com/goxla/xla/gomlx"
)

const (
	batchSize = 128
	// side of an image, in pixels
	side = 8
)

func main() {
	data := flag.String("data", "../examples/digits", "the folder with digits_train_init.npz and digits_test.npz")
	steps := flag.Int("steps", 400, "how many steps to train for")
	hlo := flag.String("hlo", "", "write the training step to this file")
	config := flag.String("config", "", "configuration of the backend")
	flag.Parse()
	if _, err := run(os.Stdout, *data, *config, *steps, *hlo); err != nil {
		log.Fatal(err)
	}
}

// run trains for a number of steps and returns the accuracy on the test images.
func run(w io.Writer, folder, config string, steps int, hlo string) (float64, error) {
	made, err := gomlx.New(config)
	if err != nil {
		return 0, err
	}
	backend := made.(*gomlx.Backend)
	defer backend.Finalize()
	training, err := load(backend, folder+"/digits_train_init.npz", "training")
	if err != nil {
		return 0, err
	}
	test, err := load(backend, folder+"/digits_test.npz", "test")
	if err != nil {
		return 0, err
	}
	training.Infinite(true).Shuffle().WithRand(rand.New(rand.NewSource(1))).BatchSize(batchSize, true)
	test.BatchSize(batchSize, false)

	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(1))
	accuracy := metric.NewSparseCategoricalAccuracy("accuracy", "acc")
	trainer := train.NewTrainer(backend, store, network, loss.SparseCategoricalCrossEntropyLogits,
		optimizer.Adam().LearningRate(3e-3).Done(), nil, []metric.Interface{accuracy})
	loop := train.NewLoop(trainer)
	commandline.AttachProgressBar(loop)
	if _, err := loop.RunSteps(training, steps); err != nil {
		return 0, err
	}
	if hlo != "" {
		if err := backend.SaveHLO("Trainer", hlo); err != nil {
			return 0, err
		}
	}
	metrics, err := trainer.Eval(test)
	if err != nil {
		return 0, err
	}
	right := float64(tensors.ToScalar[float32](metrics[len(metrics)-1]))
	fmt.Fprintf(w, "accuracy on the test images: %.1f %%\n", 100*right)
	return right, nil
}

// network makes scores for the ten digits of images [batch, side, side, 1].
func network(scope *model.Scope, images *Node) *Node {
	x := activation.Relu(layers.Convolution(scope.In("conv1"), images).Channels(16).KernelSize(3).PadSame().Done())
	x = MaxPool(x).Window(2).Done()
	x = activation.Relu(layers.Convolution(scope.In("conv2"), x).Channels(32).KernelSize(3).PadSame().Done())
	x = MaxPool(x).Window(2).Done()
	x = Reshape(x, x.Shape().Dimensions[0], -1)
	x = activation.Relu(layers.Dense(scope.In("dense1"), x, true, 64))
	return layers.Dense(scope.In("dense2"), x, true, 10)
}

// load reads images x and labels y from an archive.
func load(backend *gomlx.Backend, path, name string) (*dataset.InMemoryDataset, error) {
	images, labels, err := readArchive(path)
	if err != nil {
		return nil, err
	}
	n := len(labels)
	return dataset.InMemoryFromData(backend, name,
		[]any{tensors.FromFlatDataAndDimensions(images, n, side, side, 1)},
		[]any{tensors.FromFlatDataAndDimensions(labels, n, 1)})
}
