import { type Setting, text } from './setting.ts'
import { httpUrl } from './url-setting.ts'

/** Sign-in with other providers. */
export const signInSettings = {
  githubClientId: text({
    default: null,
    text: 'Sign-in with GitHub: client ID of the OAuth app; see docs/sign-in.md.',
  }),
  githubClientSecret: text({ default: null, secret: true, text: 'Client secret of the GitHub OAuth app.' }),
  githubUrl: httpUrl({ default: 'https://github.com', text: 'URL of GitHub or of a GitHub Enterprise server.' }),
  githubApiUrl: httpUrl({ default: 'https://api.github.com', text: 'URL of the GitHub API.' }),
  googleClientId: text({ default: null, text: 'Sign-in with Google: client ID of the OAuth client.' }),
  googleClientSecret: text({ default: null, secret: true, text: 'Client secret of the Google OAuth client.' }),
  oidcIssuer: httpUrl({
    default: null,
    text: 'Sign-in with an OpenID Connect provider: issuer URL, for example https://id.example.com.',
  }),
  oidcClientId: text({ default: null, text: 'Client ID at the OpenID Connect provider.' }),
  oidcClientSecret: text({ default: null, secret: true, text: 'Client secret at the OpenID Connect provider.' }),
  oidcName: text({ default: 'OpenID', text: 'Name of the OpenID Connect provider on the sign-in button.' }),
} satisfies Record<string, Setting<unknown>>
