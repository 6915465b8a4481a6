/** A failure that the operator can mend. Its message is one line that names what is wrong; no stack is shown. */
export class OperatorError extends Error {}
