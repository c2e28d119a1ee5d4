"""Export: trained models as files for other programs, checked against Score Image Model."""
