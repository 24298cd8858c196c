"""What leaves the program for other programs and for paper: values, workings, the log, the proof, pictures.

`compare` is the only module that imports torch, `scene` the only one that imports matplotlib, both when asked to.
"""
