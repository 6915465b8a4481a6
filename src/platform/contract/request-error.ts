import { nullable, object } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import { count } from './scalars.ts'

/** The error of a request. Only its name is stored; its status and code are today's. */
export const requestError = object({ name: string(), status: nullable(count), code: nullable(string()) })
