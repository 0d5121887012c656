"""Tests of the benches: what they compute, not how fast anything is."""
