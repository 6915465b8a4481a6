/** A failure that the operator can fix. The message is one line that names the problem; no stack is shown. */
export class OperatorError extends Error {}
