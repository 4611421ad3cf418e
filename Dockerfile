# SPDX-License-Identifier: Apache-2.0
# montforge with all of its tools: docker build -t montforge . && docker run --rm montforge pick --width 256
FROM debian:12-slim
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    ca-certificates g++ git make nodejs npm perl python3 python3-venv && rm -rf /var/lib/apt/lists/*
COPY . /montforge
WORKDIR /montforge
RUN make setup
ENV PATH=/montforge/.venv/bin:$PATH
ENTRYPOINT ["montforge"]
CMD ["--help"]
