import { isAbsolute } from 'node:path'
import { ApiError } from '../base/api-error.ts'
import { OperatorError } from '../base/operator-error.ts'
import type { Exchange } from '../http/exchange.ts'
import { readJson } from '../http/read-json.ts'
import { sendJson } from '../http/respond.ts'
import { object } from '../http/schema/containers.ts'
import { string } from '../http/schema/scalars.ts'
import { formLimitBytes as bodyLimitBytes } from '../operations/form-limit-bytes.ts'
import type { Store } from '../store/contract.ts'

const backupBody = object({ file: string() })

/** `POST /control/backup`: only the operator can call it, so the response may include the reason for a failure. */
export const createWriteBackup =
  (store: Pick<Store, 'backUp'>, recordNow: () => Promise<void>) =>
  async (exchange: Exchange): Promise<void> => {
    const { file } = await readJson(exchange, bodyLimitBytes, backupBody)
    if (!isAbsolute(file))
      throw ApiError.of('refused_value', { path: 'file', reason: 'it must be an absolute path' }, { param: 'file' })
    await store.backUp(file).catch((error: unknown) => {
      if (error instanceof OperatorError)
        throw ApiError.of('backup_failed', { reason: error.message }, { cause: error })
      throw error
    })
    await recordNow()
    sendJson(exchange, 201, { file })
  }
