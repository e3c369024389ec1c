"""What results prove, told: tables, figures and a page."""
