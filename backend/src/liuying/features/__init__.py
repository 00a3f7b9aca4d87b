"""What visitors do, one noun per folder. No feature knows another."""
