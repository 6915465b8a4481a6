import { withoutTrailingSlashes } from '../../base/without-trailing-slashes.ts'
import type { LitellmProvider } from './litellm-providers.ts'

/** Versions that are the names of Azure's newer interface, whose addresses have none. */
const newerVersions = ['v1', 'latest', 'preview']

type Address = { url: string; apiVersion: string | null }

/** Where requests go. LiteLLM adds the rest of the path itself. */
export const litellmAddress = (
  base: string,
  { preset, addsVersion }: LitellmProvider,
  apiVersion: string | null,
): Address => {
  if (preset === 'azure') return azureAddress(base, apiVersion)
  const url = withoutTrailingSlashes(base)
  return { url: addsVersion === true && !/\/v\d+$/.test(url) ? `${url}/v1` : url, apiVersion: null }
}

/** The address of the resource, or what was copied from Azure's pages: with the path of a deployment and a version. */
const azureAddress = (base: string, apiVersion: string | null): Address => {
  const path = withoutTrailingSlashes(base.replace(/[?#].*$/s, ''))
  const resource = path.replace(/(?<=[^/])\/openai(\/.*)?$/, '')
  const version = apiVersion !== null && newerVersions.includes(apiVersion) ? null : apiVersion
  const isNewer = version === null || /\/openai\/v1$/.test(path)
  return isNewer
    ? { url: `${resource}/openai/v1`, apiVersion: null }
    : { url: `${resource}/openai`, apiVersion: version }
}
