import { sampleCpu } from '../health/sample-cpu.ts'
import {
  describeInstallation,
  describeProcess,
  json,
  type SupportFile,
  withoutSecrets,
} from '../health/support-files.ts'
import type { ServerSettings } from '../settings/server-settings.ts'
import type { ServeContext } from './serve-options.ts'

/** Everything that a support bundle contains, without secrets. */
export const createCollectSupport =
  ({ config, clock, metrics, recentProblems = () => [] }: ServeContext, settings: Pick<ServerSettings, 'list'>) =>
  async (diagnosis: unknown, sampleMs: number): Promise<SupportFile[]> =>
    withoutSecrets(config, [
      ...describeInstallation(settings.list()),
      { name: 'diagnosis.json', text: json(diagnosis) },
      { name: 'metrics.txt', text: metrics.write() },
      { name: 'problems.jsonl', text: recentProblems().join('') },
      describeProcess(),
      { name: 'cpu.txt', text: await sampleCpu(sampleMs, clock) },
    ])
