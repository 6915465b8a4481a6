/** A model that cannot be served as it lies on the disk. Its message is one line for the operator: which file, what to do. */
export class ModelRefused extends Error {
  override readonly name = 'ModelRefused'
}
