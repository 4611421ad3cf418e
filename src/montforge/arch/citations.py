# SPDX-License-Identifier: Apache-2.0
"""The papers whose architectures montforge implements."""

from montforge.arch.base import Citation

KUANG_2016 = Citation(
    authors="S.-R. Kuang, K.-Y. Wu, R.-Y. Lu",
    title="Low-Cost High-Performance VLSI Architecture for Montgomery Modular Multiplication",
    venue="IEEE Transactions on VLSI Systems 24(2)",
    year=2016,
)

KIM_2000 = Citation(
    authors="Y. S. Kim, W. S. Kang, J. R. Choi",
    title="Asynchronous implementation of 1024-bit modular processor for RSA cryptosystem",
    venue="2nd IEEE Asia-Pacific Conference on ASIC",
    year=2000,
)

BUNIMOV_2002 = Citation(
    authors="V. Bunimov, M. Schimmler, B. Tolg",
    title="A Complexity-Effective Version of Montgomery's Algorithm",
    venue="Workshop on Complexity Effective Designs",
    year=2002,
)

MCIVOR_2004 = Citation(
    authors="C. McIvor, M. McLoone, J. V. McCanny",
    title="Modified Montgomery modular multiplication and RSA exponentiation techniques",
    venue="IEE Proceedings - Computers and Digital Techniques 151(6)",
    year=2004,
)

ZHANG_2007 = Citation(
    authors="Y.-Y. Zhang, Z. Li, L. Yang, S.-W. Zhang",
    title="An efficient CSA architecture for Montgomery modular multiplication",
    venue="Microprocessors and Microsystems 31(7)",
    year=2007,
)

ZHENGBING_2007 = Citation(
    authors="H. Zhengbing, R. M. Al Shboul, V. P. Shirochin",
    title="An efficient architecture of 1024-bits cryptoprocessor for RSA cryptosystem based on"
    " modified Montgomery's algorithm",
    venue="4th IEEE Workshop on Intelligent Data Acquisition and Advanced Computing Systems",
    year=2007,
)

KUANG_2013 = Citation(
    authors="S.-R. Kuang, J.-P. Wang, K.-C. Chang, H.-W. Hsu",
    title="Energy-Efficient High-Throughput Montgomery Modular Multipliers for RSA Cryptosystems",
    venue="IEEE Transactions on VLSI Systems 21(11)",
    year=2013,
)

GRALE = Citation(
    authors="T. J. Grale, E. E. Swartzlander, Jr.",
    title="Improved Montgomery Multiplication",
    venue="The University of Texas at Austin",
    year=2020,
)

EBERLE_2004 = Citation(
    authors="H. Eberle, N. Gura, S. Chang-Shantz, V. Gupta, L. Rarick",
    title="A Public-key Cryptographic Processor for RSA and ECC",
    venue="15th IEEE Conference on Application-Specific Systems, Architectures and Processors",
    year=2004,
)

GROSSSCHAEDL_2009 = Citation(
    authors="J. Großschädl, E. Savaş, K. Yumbul",
    title="Realizing Arbitrary-Precision Modular Multiplication with a Fixed-Precision Multiplier"
    " Datapath",
    venue="International Conference on Reconfigurable Computing and FPGAs",
    year=2009,
)

TENCA_2003 = Citation(
    authors="A. F. Tenca, Ç. K. Koç",
    title="A Scalable Architecture for Modular Multiplication Based on Montgomery's Algorithm",
    venue="IEEE Transactions on Computers 52(9)",
    year=2003,
)

KARATSUBA_1962 = Citation(
    authors="A. Karatsuba, Yu. Ofman",
    title="Multiplication of Multidigit Numbers on Automata",
    venue="Doklady Akademii Nauk SSSR 145(2)",
    year=1962,
)

MCIVOR_2006 = Citation(
    authors="C. McIvor, M. McLoone, J. V. McCanny",
    title="Hardware Elliptic Curve Cryptographic Processor over GF(p)",
    venue="IEEE Transactions on Circuits and Systems I 53(9)",
    year=2006,
)

ORUP_1995 = Citation(
    authors="H. Orup",
    title="Simplifying quotient determination in high-radix modular multiplication",
    venue="12th IEEE Symposium on Computer Arithmetic",
    year=1995,
)

DAI_2018 = Citation(
    authors="Dai, Chen, Cheung, Koc",
    title="FFT-Based McLaughlin's Montgomery Exponentiation without Conditional Selections",
    venue="IEEE TC 67(9)",
    year=2018,
)

MONTGOMERY_1985 = Citation(
    authors="P. L. Montgomery",
    title="Modular multiplication without trial division",
    venue="Mathematics of Computation 44(170)",
    year=1985,
)

KAIHARA_2005 = Citation(
    authors="M. E. Kaihara, N. Takagi",
    title="Bipartite Modular Multiplication",
    venue="CHES 2005, LNCS 3659",
    year=2005,
)
