/**
 * How the nodes of a cluster recognise each other: by a key pair of this process, whose certificate is in the table of
 * nodes.
 */
export type NodeIdentity = { certPem: string; keyPem: string }
