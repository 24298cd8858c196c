"""The guided lesson on the real model: its tables are measured when it opens."""
