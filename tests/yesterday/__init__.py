"""Posts that older versions left half-played, and the test that takes them over."""
