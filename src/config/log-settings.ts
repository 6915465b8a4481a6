import { logLevels } from '../base/log-fields.ts'
import { choice, integer, list, type Setting, text } from './setting.ts'

/** The log of the server, and its metrics. */
export const logSettings = {
  logLevel: choice(logLevels, {
    default: 'info',
    text: 'Least level of the events in the log. With `warn` or `error`, requests that succeed are not logged.',
  }),
  logFormat: choice(['auto', 'json', 'text'], {
    default: 'auto',
    text: 'Log format: JSON lines or human-readable text. `auto` uses text on a terminal and JSON otherwise.',
  }),
  metricsPort: integer({
    default: null,
    min: 0,
    max: 65_535,
    text: 'Port for `GET /metrics` in the format of OpenMetrics, which Prometheus reads; 0 selects a free port.',
    defaultText: 'no metrics are served',
  }),
  metricsHost: text({
    default: '127.0.0.1',
    text: 'Address for `metricsPort`. It asks for no key: let only your monitoring reach it.',
  }),
  metricsOrganisations: list({
    default: [],
    text: 'IDs of organisations whose requests, tokens and cost are in the metrics one by one.',
  }),
} satisfies Record<string, Setting<unknown>>
