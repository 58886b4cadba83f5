package fuzz

import (
	"errors"

	"github.com/ijongo/ijongo/fuzz/wire"
)

func newSearch(r *runner, config wire.Config, link *link) (driver, error) {
	return nil, errors.New("search is not there yet")
}
