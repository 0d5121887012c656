"""The forgetting pass: it proposes, a person decides."""
