"""What a record tells besides whether it holds: what stands, what changed, where two part, what a viewer may read."""
