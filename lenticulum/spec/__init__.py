"""What a term means, exactly, and the laws it satisfies."""
