import type { Plugin } from 'vite'

/**
 * Replaces the module by its value, so that the scripts have the paths of the operations and none of their schemas. These are loaded
 * only when Vite asks for the module: it can work on others meanwhile.
 */
export const operationTablePlugin = (): Plugin => ({
  name: 'operation-table',
  load: {
    // Without it, Vite would ask for each of three thousand modules.
    filter: { id: /\/site\/platform\/operation-table\.ts$/ },
    async handler() {
      const { operationTable } = await import('../platform/operation-table.ts')
      return `export const operationTable = ${JSON.stringify(operationTable)}`
    },
  },
})
