module github.com/ijongo/ijongo

go 1.26
