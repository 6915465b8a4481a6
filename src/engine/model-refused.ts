import { OperatorError } from '../base/operator-error.ts'

/** The model files on disk cannot be served. The message is one line for the operator: which file, what to do. */
export class ModelRefused extends OperatorError {
  override readonly name = 'ModelRefused'
}
