import { parseDocument } from 'yaml'
import { errorMessage } from '../base/caught-error.ts'
import { isRecord } from '../base/is-record.ts'
import { OperatorError } from '../base/operator-error.ts'

/** A file can be far smaller than what its aliases repeat. */
const maxAliases = 10_000

/** Reads a mapping, with the merge keys (`<<`) of YAML 1.1, which many programs still read. Throws an `OperatorError` of one line. */
export const readYaml = (text: string): Record<string, unknown> => {
  const document = parseDocument(text, { merge: true })
  const [error] = document.errors
  if (error?.code === 'MULTIPLE_DOCS') throw new OperatorError('The file has several YAML documents.')
  if (error !== undefined) throw new OperatorError(`The file is not valid YAML: ${error.message.split('\n')[0]}`)
  const value = readAliases(document)
  if (!isRecord(value)) throw new OperatorError('The file is not a mapping.')
  return value
}

const readAliases = (document: ReturnType<typeof parseDocument>): unknown => {
  try {
    return document.toJS({ maxAliasCount: maxAliases })
  } catch (error) {
    throw new OperatorError(`The file cannot be read: ${errorMessage(error)}`)
  }
}
