"""流影 (Liuying): a self-hosted, mobile-first video site for anonymous visitors."""

__version__ = "0.1.0"
