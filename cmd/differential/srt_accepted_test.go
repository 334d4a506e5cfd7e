package differential

// srtAccepted are the disagreements with sandbox-runtime that stand.
var srtAccepted = []accepted{}
