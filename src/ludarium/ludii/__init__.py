"""Rules in Ludii's language: reading and expanding texts, binding ludemes, boards, recorded trials."""
