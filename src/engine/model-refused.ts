import { OperatorError } from '../base/operator-error.ts'

/** A model that cannot be served as it lies on the disk. Its message is one line for the operator: which file, what to do. */
export class ModelRefused extends OperatorError {
  override readonly name = 'ModelRefused'
}
