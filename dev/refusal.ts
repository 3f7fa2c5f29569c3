/** A start that cannot go on for a reason the person at the terminal can change: shown as one message, without a stack. */
export class CannotStart extends Error {}
