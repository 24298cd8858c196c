"""Where a learner is, what may be shown, what is asked, what is paid: no screen, no files."""
