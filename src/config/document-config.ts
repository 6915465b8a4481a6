import { environmentName, flagName, settingNames, settings } from './settings.ts'

/** The text of `docs/config.md`. */
export const documentConfig = (): string => {
  const rows = settingNames.map((name) => {
    const setting = settings[name]
    const value = Array.isArray(setting.default) ? setting.default.join(',') : setting.default
    const plain = value === null || value === '' ? 'not set' : `\`${value}\``
    const fallback = 'defaultText' in setting ? setting.defaultText : plain
    return `| \`${name}\` | \`${environmentName(name)}\` | ${'secret' in setting ? 'no' : `\`--${flagName(name)}\``} | ${setting.kind} | ${fallback} | ${setting.text} |`
  })
  return `${head}\n${rows.join('\n')}\n`
}

const head = `# Settings

Written by \`npm run docs\` from \`src/config/settings.ts\`; a test keeps the two equal.

A setting is taken from the first place that has it: the command line, the environment, \`helix.config.json\` in the
directory the program is started in (\`--config PATH\` names another file), the default. An unknown or malformed setting stops
the start with one line that names it. Relative paths start at that directory. Times are in milliseconds, sizes in bytes.

\`\`\`json
{ "port": 9000, "dataDir": "/var/lib/helix", "trustedProxies": ["10.0.0.0/8"] }
\`\`\`

| in the file | in the environment | on the command line | what it takes | default | what it does |
|---|---|---|---|---|---|`
