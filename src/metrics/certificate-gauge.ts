import type { Family } from './family.ts'
import { createGauge } from './gauge.ts'

export const createCertificateGauge = (certificate: { readonly endsAt: number }): Family =>
  createGauge({
    name: 'helix_certificate_expiry_timestamp_seconds',
    help: 'When the certificate of this server ends.',
    read: () => certificate.endsAt / 1000,
  })
