/** By which the nodes of a cluster recognise each other: a key pair of this process, and its certificate in the table of nodes. */
export type NodeIdentity = { certPem: string; keyPem: string }
