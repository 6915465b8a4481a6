import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseJsonText } from '../../src/base/parse-json-text.ts'

export type Query = { dashboard: string; panel: string; expression: string }

type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] }

/** Every query of the dashboards, for all jobs, servers, models and organisations. */
export const readQueries = (folder: string): Query[] =>
  globSync('*.json', { cwd: folder }).flatMap((file) =>
    asDashboard(parseJsonText(readFileSync(join(folder, file), 'utf8'))).panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({
        dashboard: basename(file, '.json'),
        panel: title,
        expression: expr.replaceAll('$__rate_interval', '10s').replaceAll(/\$[a-z]+/g, '.+'),
      })),
    ),
  )

/** True of what Grafana imports; another shape fails at once. */
const asDashboard = (value: unknown): Dashboard => value as Dashboard
