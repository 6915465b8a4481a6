import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { operationTable } from '../platform/operation-table.ts'

const file = fileURLToPath(new URL('../platform/operation-table.ts', import.meta.url))

/** Replaces the module by its value, so that the scripts have the paths of the operations and none of their schemas. */
export const operationTablePlugin = (): Plugin => ({
  name: 'operation-table',
  load: (id) => (id === file ? `export const operationTable = ${JSON.stringify(operationTable)}` : null),
})
