"""What may be written where: signatures of ludemes as data, the binder that puts arguments into slots, and the checker."""
