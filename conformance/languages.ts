/** How each language gets its newest official library, and how its scenarios are built and run. */
export type Step = readonly [program: string, ...args: string[]]

export type Language = {
  name: string
  /** The programs it cannot do without, and how each says that it is there. */
  tools: readonly Step[]
  /** Made in the scratch folder before anything runs. */
  files: Readonly<Record<string, string>>
  /** Copied from `conformance/NAME/` into the scratch folder. */
  sources: readonly string[]
  /** Fetches the library. Where this fails, nothing was learned about the service. */
  fetch: readonly Step[]
  /** Where this fails, the scenarios no longer fit the library: that is a failure. */
  build: readonly Step[]
  run: Step
}

/** No version stands anywhere: Maven takes the newest release. */
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>helix</groupId>
  <artifactId>conformance</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>com.openai</groupId>
      <artifactId>openai-java</artifactId>
      <version>RELEASE</version>
    </dependency>
  </dependencies>
</project>
`

export const languages: readonly Language[] = [
  {
    name: 'python',
    tools: [['python3', '--version']],
    files: {},
    sources: ['scenarios.py'],
    fetch: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/python', '-m', 'pip', 'install', '--quiet', '--upgrade', 'openai'],
    ],
    build: [],
    run: ['venv/bin/python', '-u', 'scenarios.py'],
  },
  {
    name: 'go',
    tools: [['go', 'version']],
    files: {},
    sources: ['main.go'],
    fetch: [
      ['go', 'mod', 'init', 'helix/conformance'],
      // The second is what the library's own documentation makes schemas with.
      ['go', 'get', 'github.com/openai/openai-go/v3@latest', 'github.com/invopop/jsonschema@latest'],
    ],
    build: [['go', 'build', '-o', 'scenarios', '.']],
    run: ['./scenarios'],
  },
  {
    name: 'java',
    tools: [
      ['javac', '-version'],
      ['mvn', '--version'],
    ],
    files: { 'pom.xml': pom },
    sources: ['Scenarios.java'],
    fetch: [['mvn', '--batch-mode', '--quiet', 'dependency:copy-dependencies', '-DoutputDirectory=lib']],
    build: [['javac', '-encoding', 'UTF-8', '-cp', 'lib/*', '-d', 'classes', 'Scenarios.java']],
    run: [
      'java',
      '-Dfile.encoding=UTF-8',
      '-Dstdout.encoding=UTF-8',
      // Its logging library complains that nobody listens.
      '-Dslf4j.internal.verbosity=ERROR',
      '-cp',
      'classes:lib/*',
      'Scenarios',
    ],
  },
]
