/** Titles and contents of the pages that show files of `docs/`. */
export const documents = {
  '/docs/guides/console': {
    title: 'The console',
    description: 'What the playground, the request log and notices do with what you write, and how long it is kept.',
  },
  '/docs/guides/clients': {
    title: 'Clients',
    description: 'Which clients and agents work with Helix, and how to set them up.',
  },
  '/docs/guides/keys': {
    title: 'API keys',
    description: 'Scopes, rotation, limits and usage of API keys.',
  },
  '/docs/guides/billing': {
    title: 'Usage and billing',
    description: 'What is counted and when, what a failure costs, and which texts are stored.',
  },
  '/docs/guides/teams': {
    title: 'Organisations and roles',
    description: 'Who can do what in an organisation, and how members join and leave.',
  },
  '/docs/guides/sign-in': {
    title: 'Sign-in methods',
    description: 'Passwords, two-factor authentication, passkeys and other providers.',
  },
  '/docs/guides/webhooks': {
    title: 'Webhooks and emails',
    description: 'Get notified about budgets, keys and outages as they happen.',
  },
  '/docs/guides/messages': {
    title: 'Messages in detail',
    description: 'What differs from Anthropic’s API in POST /v1/messages.',
  },
  '/docs/guides/embeddings': {
    title: 'Embeddings in detail',
    description: 'Fields, limits and inner workings of POST /v1/embeddings.',
  },
  '/docs/guides/rerank': {
    title: 'Reranking in detail',
    description: 'Fields, limits and inner workings of POST /v1/rerank and /v1/score.',
  },
  '/docs/guides/retries': {
    title: 'Retries in detail',
    description: 'Idempotent retries, resumed streams, billing and storage.',
  },
  '/docs/operate': {
    title: 'Operating Helix',
    description: 'Accounts, nodes, backups, retention, health, workers and GPUs.',
  },
  '/docs/operate/install': {
    title: 'Installation',
    description: 'Archive, packages, systemd, container images and Helm.',
  },
  '/docs/operate/config': {
    title: 'Settings',
    description: 'Every setting with its flag, variable and default.',
  },
  '/docs/operate/models': {
    title: 'Serving models',
    description: 'Which models are served, how they are loaded, and what they need.',
  },
  '/docs/operate/upstreams': {
    title: 'Upstreams',
    description: 'Other servers and providers behind Helix: placement, health, failover.',
  },
  '/docs/operate/limits': {
    title: 'Limits in detail',
    description: 'How limits, costs, reservations and the queue work.',
  },
  '/docs/operate/hooks': {
    title: 'Hooks',
    description: 'Check, change or refuse requests and answers on their way.',
  },
  '/docs/operate/cache': {
    title: 'Answer cache',
    description: 'Answer repeated requests without generating again.',
  },
  '/docs/operate/reverse-proxies': {
    title: 'HTTPS and reverse proxies',
    description: 'Certificates, HAProxy, nginx, and restarts without failed requests.',
  },
  '/docs/operate/postgresql': {
    title: 'PostgreSQL',
    description: 'Settings, TLS, outages, and moving from SQLite.',
  },
  '/docs/operate/redis': {
    title: 'Redis',
    description: 'Shared limits for several nodes.',
  },
  '/docs/operate/backup': {
    title: 'Backup and restore',
    description: 'Backups that can be trusted, and how to restore them.',
  },
  '/docs/operate/upgrade': {
    title: 'Upgrades',
    description: 'Upgrading, and rolling back to the previous version.',
  },
  '/docs/operate/secrets': {
    title: 'Secrets',
    description: 'Secrets from files, and replacing the key that encrypts them.',
  },
  '/docs/operate/security': {
    title: 'Security',
    description: 'What to check before others use the server.',
  },
  '/docs/operate/sizing': {
    title: 'Sizing',
    description: 'Cores, memory and disk for a number of people.',
  },
  '/docs/operate/logs': {
    title: 'Logs',
    description: 'Where logs go, their levels and their rotation.',
  },
  '/docs/operate/metrics': {
    title: 'Metrics',
    description: 'What Prometheus can read, and what it means.',
  },
  '/docs/operate/alerts': {
    title: 'Alerts',
    description: 'Alerts for Prometheus and dashboards for Grafana.',
  },
  '/docs/operate/traces': {
    title: 'Traces',
    description: 'See where a request spends its time, with OpenTelemetry.',
  },
  '/docs/operate/diagnostics': {
    title: 'Diagnostics',
    description: 'helix doctor, readiness and support bundles.',
  },
  '/docs/operate/incidents': {
    title: 'Incidents',
    description: 'What you see when something fails, and what to do.',
  },
  '/docs/operate/platforms': {
    title: 'macOS and Windows',
    description: 'How macOS and Windows differ from Linux.',
  },
} as const
