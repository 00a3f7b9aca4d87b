"""Unlocking a video by sharing its link."""
