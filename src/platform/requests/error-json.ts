import { type ErrorName, errorCatalogue } from '../../base/error-catalogue.ts'

/** Only the name of an error is stored; its status and code are today's, which may have changed since. */
export const errorJson = (name: string): { name: string; status: number | null; code: string | null } => {
  const known = isErrorName(name) ? errorCatalogue[name] : null
  return { name, status: known?.status ?? null, code: known?.code ?? null }
}

const isErrorName = (name: string): name is ErrorName => Object.hasOwn(errorCatalogue, name)
