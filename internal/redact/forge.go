package redact

// forgeRules are tokens of code hosts, registries, build services. Above each rule stands where its
// vendor shows the shape.
var forgeRules = []rule{
	// https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/
	{
		name: "github-token", about: "GitHub personal, OAuth, user, server and refresh tokens", rank: rankToken, match: matchToken, loose: true,
		anchors: []string{"ghp_", "gho_", "ghr_"},
		parts:   []part{{set: alnum, min: 36}},
	},
	{
		name: "github-token", about: "GitHub personal, OAuth, user, server and refresh tokens", rank: rankToken, match: matchToken, loose: true,
		anchors: []string{"ghu_", "ghs_"},
		parts:   []part{{set: wordDot, min: 36}},
	},
	// https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github
	{
		name: "github-fine-grained-token", about: "GitHub fine-grained personal access tokens", rank: rankToken, match: matchToken, loose: true,
		anchors: []string{"github_pat_"},
		parts:   []part{{set: word, min: 36}},
	},
	// https://docs.gitlab.com/security/tokens/#token-prefixes
	{
		name: "gitlab-token", about: "GitLab personal, deploy, runner, CI, feed, agent, OAuth and other tokens", rank: rankToken, match: matchToken, loose: true,
		anchors: []string{"glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-", "glffct-", "glwt-"},
		parts:   []part{{set: wordDot, min: 20}},
	},
	{
		name: "gitlab-token", about: "GitLab personal, deploy, runner, CI, feed, agent, OAuth and other tokens", rank: rankToken, match: matchToken, loose: true,
		anchors: []string{"GR1348941"},
		parts:   []part{{set: wordDash, min: 20}},
	},
	// https://docs.npmjs.com/about-access-tokens
	{
		name: "npm-token", about: "npm access tokens", rank: rankToken, match: matchToken,
		anchors: []string{"npm_"},
		parts:   []part{{set: alnum, min: 36}},
	},
	// https://pypi.org/help/#apitoken
	{
		name: "pypi-token", about: "PyPI upload tokens", rank: rankToken, match: matchToken,
		anchors: []string{"pypi-AgE"},
		parts:   []part{{set: wordDash, min: 40}},
	},
	// https://docs.docker.com/security/access-tokens/
	{
		name: "docker-token", about: "Docker personal and organisation access tokens", rank: rankToken, match: matchToken,
		anchors: []string{"dckr_pat_", "dckr_oat_"},
		parts:   []part{{set: wordDash, min: 20}},
	},
	// https://guides.rubygems.org/api-key-scopes/
	{
		name: "rubygems-key", about: "RubyGems API keys", rank: rankToken, match: matchToken,
		anchors: []string{"rubygems_"},
		parts:   []part{{set: lowerHex, min: 48}},
	},
	// https://github.com/clojars/clojars-web/wiki/Deploy-Tokens
	{
		name: "clojars-token", about: "Clojars deploy tokens", rank: rankToken, match: matchToken,
		anchors: []string{"CLOJARS_"},
		parts:   []part{{set: lowerHex, min: 50}},
	},
	// https://doc.rust-lang.org/cargo/reference/publishing.html
	{
		name: "crates-token", about: "crates.io API tokens", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"cio[A-Za-z0-9]"},
		parts:   []part{{set: alnum, min: 32, max: 32}},
	},
	// https://jfrog.com/help/r/jfrog-platform-administration-documentation/access-tokens
	{
		name: "artifactory-key", about: "JFrog Artifactory API keys and reference tokens", rank: rankToken, match: matchToken,
		anchors: []string{"AKCp[A-Za-z0-9]"},
		parts:   []part{{set: alnum, min: 60}},
	},
	{
		name: "artifactory-key", about: "JFrog Artifactory API keys and reference tokens", rank: rankToken, match: matchToken,
		anchors: []string{"cmVmdGtu"},
		parts:   []part{{set: alnum, min: 50}},
	},
	// https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/
	{
		name: "atlassian-token", about: "Atlassian API and Bitbucket tokens", rank: rankToken, match: matchToken,
		anchors: []string{"ATATT3", "ATCTT3", "ATSTT3"},
		parts:   []part{{set: base64Any, min: 60}},
	},
	{
		name: "atlassian-token", about: "Atlassian API and Bitbucket tokens", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"ATBB"},
		parts:   []part{{set: alnum, min: 32}},
	},
	// https://buildkite.com/docs/apis/managing-api-tokens
	{
		name: "buildkite-token", about: "Buildkite user and agent tokens", rank: rankToken, match: matchToken,
		anchors: []string{"bkua_", "bkat_"},
		parts:   []part{{set: alnum, min: 36}},
	},
	{
		name: "buildkite-token", about: "Buildkite user and agent tokens", rank: rankToken, match: matchToken,
		anchors: []string{"bkct_"},
		parts:   []part{{set: word, min: 30}},
	},
	// https://circleci.com/docs/managing-api-tokens/
	{
		name: "circleci-token", about: "CircleCI personal and project tokens", rank: rankToken, match: matchToken,
		anchors: []string{"CCIPAT_", "CCIPRJ_"},
		parts:   []part{{set: word, min: 40}},
	},
	// https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens
	{
		name: "terraform-token", about: "HCP Terraform API tokens", rank: rankToken, match: matchToken, loose: true,
		anchors: []string{".atlasv1."},
		parts:   []part{{set: wordDash, min: 40}},
	},
	// https://www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/
	{
		name: "pulumi-token", about: "Pulumi access tokens", rank: rankToken, match: matchToken,
		anchors: []string{"pul-"},
		parts:   []part{{set: lowerHex, min: 40}},
	},
	// https://vercel.com/docs/rest-api
	{
		name: "vercel-token", about: "Vercel tokens", rank: rankToken, match: matchToken,
		anchors: []string{"vcp_", "vci_", "vca_", "vcr_", "vck_"},
		parts:   []part{{set: alnum, min: 24}},
	},
	{
		name: "vercel-token", about: "Vercel tokens", rank: rankToken, match: matchToken,
		anchors: []string{"vercel_blob_rw_"},
		parts:   []part{{set: word, min: 24}},
	},
	// https://docs.netlify.com/api/get-started/
	{
		name: "netlify-token", about: "Netlify access tokens", rank: rankToken, match: matchToken,
		anchors: []string{"nfp_", "nfc_", "nfo_", "nfu_"},
		parts:   []part{{set: word, min: 36}},
	},
	// https://devcenter.heroku.com/articles/authentication
	{
		name: "heroku-key", about: "Heroku API keys", rank: rankToken, match: matchToken,
		anchors: []string{"HRKU-"},
		parts:   []part{{set: wordDash, min: 36}},
	},
	// https://fly.io/docs/security/tokens/
	{
		name: "fly-token", about: "Fly.io access tokens", rank: rankToken, match: matchToken,
		anchors: []string{"fo1_"},
		parts:   []part{{set: wordDash, min: 40}},
	},
	{
		name: "fly-token", about: "Fly.io access tokens", rank: rankToken, match: matchToken,
		anchors: []string{"fm1a_", "fm1r_", "fm2_"},
		parts:   []part{{set: base64Any, min: 60}},
	},
	// https://docs.doppler.com/docs/service-tokens
	{
		name: "doppler-token", about: "Doppler tokens", rank: rankToken, match: matchToken,
		anchors: []string{"dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."},
		parts:   []part{{set: wordDot, min: 40}},
	},
	// https://www.infracost.io/docs/
	{
		name: "infracost-key", about: "Infracost API keys", rank: rankToken, match: matchToken, digit: true,
		anchors: []string{"ico-"},
		parts:   []part{{set: alnum, min: 32, max: 32}},
	},
	// https://docs.sonarsource.com/sonarqube-server/latest/user-guide/managing-tokens/
	{
		name: "sonar-token", about: "SonarQube user, project and global tokens", rank: rankToken, match: matchToken,
		anchors: []string{"squ_", "sqp_", "sqa_"},
		parts:   []part{{set: anyHex, min: 40}},
	},
	// https://docs.sentry.io/account/auth-tokens/
	{
		name: "sentry-token", about: "Sentry organisation and user auth tokens", rank: rankToken, match: matchToken,
		anchors: []string{"sntrys_"},
		parts:   []part{{set: base64Any, min: 40}},
	},
	{
		name: "sentry-token", about: "Sentry organisation and user auth tokens", rank: rankToken, match: matchToken,
		anchors: []string{"sntryu_", "sntrya_"},
		parts:   []part{{set: lowerHex, min: 60}},
	},
	// https://learning.postman.com/docs/developer/postman-api/authentication/
	{
		name: "postman-key", about: "Postman API keys", rank: rankToken, match: matchToken,
		anchors: []string{"PMAK-"},
		parts:   []part{{set: anyHex, min: 24, max: 24}, {text: "-"}, {set: anyHex, min: 34}},
	},
	// https://docs.readme.com/main/reference/intro/authentication
	{
		name: "readme-key", about: "ReadMe API keys", rank: rankToken, match: matchToken,
		anchors: []string{"rdme_"},
		parts:   []part{{set: lowerNum, min: 60}},
	},
	// https://docs.prefect.io/v3/manage/cloud/manage-users/api-keys
	{
		name: "prefect-key", about: "Prefect API keys", rank: rankToken, match: matchToken,
		anchors: []string{"pnu_", "pnb_"},
		parts:   []part{{set: alnum, min: 36}},
	},
}
