import type { Models } from '../models/contract.ts'
import type { Finding } from './self-checks.ts'

const shownModels = 10

export const checkModels = (models: Pick<Models, 'list' | 'defaultPool'>): Finding => {
  const all = models.list().map((pool) => ({ id: pool.model.id, ...pool.status() }))
  const detail = all
    .slice(0, shownModels)
    .map(({ id, state, reason }) => `${id} is ${state}${reason === null ? '' : ` (${reason})`}`)
    .join(', ')
  const others = all.length - shownModels
  const { state } = models.defaultPool.status()
  const isFailed = state === 'failed' || state === 'stopped'
  const isWhole = all.every((model) => model.state === 'ready' || model.state === 'unloaded')
  return {
    state: isFailed ? 'failed' : isWhole ? 'ok' : 'warning',
    detail: others > 0 ? `${detail} and ${others} more` : detail,
  }
}

export const checkGpu = (models: Pick<Models, 'list'>): Finding => {
  const engines = models.list().flatMap((pool) => pool.status().process ?? [])
  const fault = engines.find(({ gpuFault }) => gpuFault !== null)?.gpuFault
  if (fault != null) return { state: 'warning', detail: fault }
  const gpus = [...new Set(engines.flatMap(({ gpu }) => gpu ?? []))]
  return { state: 'ok', detail: gpus.length === 0 ? 'not used' : gpus.join('; ') }
}
