"""One turn: route, recall, answer, persist, trace; and the conversations it belongs to."""
