import { beforeEach } from 'vitest'
import { hasProjectDatabases } from './project-databases.ts'

const hasDatabases = await hasProjectDatabases()

beforeEach(({ skip }) => {
  if (!hasDatabases) skip('There is no PostgreSQL or no Redis.')
})
