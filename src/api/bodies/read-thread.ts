import { serveBodies } from '../../http/serve-bodies.ts'
import { readTable } from './read-table.ts'

/** The thread of `api-body-readers.ts`. */
serveBodies(readTable)
