from ludarium.hidden.declared import DeclaredSampler
class DealSampler(DeclaredSampler):
    pass
