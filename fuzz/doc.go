package fuzz
