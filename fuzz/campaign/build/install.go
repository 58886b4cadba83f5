package build

import (
	"errors"
	"os"
	"path/filepath"
)

// Install puts what was built where it is wanted, whole or not at all: a process
// that runs or has loaded the old one keeps it.
func Install(made, path string) error {
	data, err := os.ReadFile(made)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".ijongo-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	err = errors.Join(err, temp.Chmod(0o755), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}
